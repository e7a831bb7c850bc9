import { Paused } from '../loop/paused.ts'

/**
 * Waits until all work is done, so that everything that was done is recorded, and returns the results. If something fails,
 * throws that error; `stop` is called first, unless the run only pauses.
 */
export async function settleAll<Value>(
  work: readonly Promise<Value>[],
  stop: (error: unknown) => void,
): Promise<Value[]> {
  let failure: { readonly error: unknown } | undefined
  const results = await Promise.all(
    work.map((each) =>
      each.catch((error: unknown) => {
        const isPause = error instanceof Paused
        if (!failure || (failure.error instanceof Paused && !isPause)) failure = { error }
        if (!isPause) stop(error)
        return undefined
      }),
    ),
  )
  if (failure) throw failure.error
  return results as Value[]
}
