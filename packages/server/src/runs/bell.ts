/** Something to wait for. If it rings while nobody waits, the next one who does need not. */
export interface Bell {
  readonly ring: () => void
  rung(): Promise<void>
}

/** Creates a bell for one who waits. Two would take rings from each other, and so would one who stops waiting halfway. */
export function createBell(): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async rung() {
      if (!hasRung) await new Promise<void>((resolve) => (wake = resolve))
      hasRung = false
      wake = undefined
    },
  }
}
