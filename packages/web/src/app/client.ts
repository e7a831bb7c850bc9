import { createClient } from '@toolglot/server/client'
import { observedFetch } from './connection.ts'
import { createStreamSlots } from './stream-slots.ts'

/** The client for the server that served this page. The browser sends its cookie. */
export const client = createClient({
  url: location.origin,
  fetch: observedFetch,
  // Browsers offer no locks to a page loaded over the network without HTTPS.
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
