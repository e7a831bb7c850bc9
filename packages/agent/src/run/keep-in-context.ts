import type { State } from './state.ts'

/** TODO with context helper */
export async function keepInContext(_state: State, _turn: number): Promise<void> {}
