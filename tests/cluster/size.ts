/** How much happens to a cluster. CLUSTER=long is what a release is tested with; CLUSTER_SEED=123 uses another seed. */
export interface Size {
  /** At least: more are started as long as something still happens. */
  readonly runs: number
  readonly atOnce: number
  readonly kills: number
  /** Beyond the lease. */
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

/** Servers and workers of ours. */
export const commandSize: Size = isLong
  ? LONG
  : { runs: 60, atOnce: 16, kills: 12, pauses: 5, rollingRestarts: 1, databaseRestarts: 1 }

/** Workers that an engine drives. */
export const engineSize: Size = isLong
  ? LONG
  : { runs: 40, atOnce: 16, kills: 8, pauses: 2, rollingRestarts: 1, databaseRestarts: 1 }
