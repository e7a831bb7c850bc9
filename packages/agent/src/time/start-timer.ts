/** Starts a timer, unless the delay is undefined or longer than a timer supports. */
export function startTimer(
  milliseconds: number | undefined,
  work: () => void,
): ReturnType<typeof setTimeout> | undefined {
  return milliseconds !== undefined && milliseconds < 2 ** 31
    ? setTimeout(work, milliseconds)
    : undefined
}
