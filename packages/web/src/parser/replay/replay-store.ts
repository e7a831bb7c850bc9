import { valueStore, type ValueStore } from '../value-store.ts'

/** Where a replay stands. It changes often: only what shows it looks at it. */
export interface ReplayState {
  /** Undefined at the end. */
  readonly step: number | undefined
  readonly isPlaying: boolean
}

const END: ReplayState = { step: undefined, isPlaying: false }

export const replayStore: ValueStore<ReplayState> = valueStore(END)

/** Stops it, and shows all of the text. */
export function endReplay(): void {
  replayStore.change(END)
}
