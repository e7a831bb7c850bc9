// oxlint-disable-next-line import/default -- Vite makes it
import url from './parse-worker.ts?worker&url'
import { trustedUrl } from './trusted-url.ts'

/** Starts the worker that parses, from a file of the server. */
export function startWorker(): Worker {
  // As it is being written it has imports; built, it is one file, which is all that its own policy allows.
  return new Worker(trustedUrl(url), { type: import.meta.env.DEV ? 'module' : 'classic' })
}
