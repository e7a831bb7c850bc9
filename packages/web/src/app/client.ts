import { createClient } from '@toolglot/server/client'
import { observedFetch } from './connection.ts'
import { createStreamSlots } from './stream-slots.ts'

/** The client of the server that this page came from. The browser sends its cookie. */
export const client = createClient({
  url: location.origin,
  fetch: observedFetch,
  // Browsers have no locks in a page that came over the network without https.
  turn:
    'locks' in navigator
      ? createStreamSlots({
          locks: navigator.locks,
          channel: new BroadcastChannel('toolglot-streams'),
          isHidden: () => document.visibilityState === 'hidden',
          onShow: (listener) => {
            const look = (): void => {
              if (document.visibilityState === 'visible') listener()
            }
            document.addEventListener('visibilitychange', look)
            return () => document.removeEventListener('visibilitychange', look)
          },
        })
      : undefined,
})
