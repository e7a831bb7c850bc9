import type { ToolContext } from '@toolglot/agent'

/** A run's records in memory. */
export interface Memory {
  readonly remember: NonNullable<ToolContext['remember']>
  /** The latest value of each key. */
  readonly remembered: () => ReadonlyMap<string, unknown>
}

/** Creates records of a run. */
export function memory(): Memory {
  const texts = new Map<string, string>()
  return {
    remember: (key, value) => void texts.set(key, JSON.stringify(value)),
    remembered: () => new Map([...texts].map(([key, text]) => [key, JSON.parse(text) as unknown])),
  }
}
