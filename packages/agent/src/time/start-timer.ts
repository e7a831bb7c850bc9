/** Does something after a time; never, where that is undefined or more than a timer can count. */
export function startTimer(
  milliseconds: number | undefined,
  work: () => void,
): ReturnType<typeof setTimeout> | undefined {
  return milliseconds !== undefined && milliseconds < 2 ** 31
    ? setTimeout(work, milliseconds)
    : undefined
}
