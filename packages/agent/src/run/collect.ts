/** Waits for the end of `run`, `turn` or `cycle` and returns its result, for callers who do not need the events. */
export async function collect<Result>(events: AsyncGenerator<unknown, Result>): Promise<Result> {
  let next = await events.next()
  while (!next.done) next = await events.next()
  return next.value
}
