/**
 * The number of faults in a cluster. CLUSTER=long is for testing a release; CLUSTER_SEED=123 uses
 * another seed.
 */
export interface Size {
  /** The minimum number: more are started while there are still faults. */
  readonly runs: number
  readonly atOnce: number
  readonly kills: number
  /** The number of pauses, each longer than the lease. */
  readonly pauses: number
  readonly rollingRestarts: number
  readonly databaseRestarts: number
}

const isLong: boolean = process.env['CLUSTER'] === 'long'

export const seed: number = Number(process.env['CLUSTER_SEED'] ?? 20_261_117)

const LONG: Size = {
  runs: 500,
  atOnce: 40,
  kills: 100,
  pauses: 40,
  rollingRestarts: 1,
  databaseRestarts: 2,
}

/** The size for our own servers and workers. */
export const commandSize: Size = isLong
  ? LONG
  : { runs: 60, atOnce: 16, kills: 12, pauses: 5, rollingRestarts: 1, databaseRestarts: 1 }

/** For workers driven by an engine. */
export const engineSize: Size = isLong
  ? LONG
  : { runs: 40, atOnce: 16, kills: 8, pauses: 2, rollingRestarts: 1, databaseRestarts: 1 }
