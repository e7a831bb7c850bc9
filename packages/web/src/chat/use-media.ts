import { useSyncExternalStore } from 'react'

/** Whether a query matches, and a way to hear when that changes. */
interface Media {
  readonly subscribe: (listener: () => void) => () => void
  readonly matches: () => boolean
}

const known = new Map<string, Media>()

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  let media = known.get(query)
  if (!media) known.set(query, (media = createMedia(query)))
  return useSyncExternalStore(media.subscribe, media.matches)
}

function createMedia(query: string): Media {
  const media = matchMedia(query)
  return {
    subscribe(listener) {
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    matches: () => media.matches,
  }
}
