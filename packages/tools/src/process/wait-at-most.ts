/** Whether something comes to be within so many milliseconds. Does not keep the program alive for it. */
export async function waitAtMost(milliseconds: number, event: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  try {
    return await Promise.race([event.then(() => true), over])
  } finally {
    clearTimeout(timer)
  }
}
