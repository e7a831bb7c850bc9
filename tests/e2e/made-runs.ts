import { type Limits, run, type Tool, tool } from '@toolglot/agent'
import { exportRun, memoryJournal } from '@toolglot/agent/journal'
import { type ScriptedReply, scriptedModel } from '@toolglot/agent/testing'
import type { ServeProcess } from '../../packages/cli/test/serve-process.ts'

/** A run created by a test, without a server. */
export interface MadeRun {
  readonly id: string
  readonly name?: string
  readonly prompt: string
  /** The model's replies, in the hermes protocol. */
  readonly replies: readonly ScriptedReply[]
  readonly tools?: readonly Tool[]
  readonly limits?: Partial<Limits>
  /** True if the run stops at its first request to a person. */
  readonly waits?: boolean
}

/** Executes a run with a scripted model, and exports it. */
export async function makeRun(made: MadeRun): Promise<string> {
  const journal = memoryJournal()
  const { id, name, prompt, replies, tools = [], limits, waits = false } = made
  const unlimited = { maxIterations: 1e6, maxToolCalls: 1e6, maxReply: 64 << 20 }
  const events = run({
    id,
    journal,
    model: scriptedModel(replies, { name: 'hermes' }),
    protocol: 'hermes',
    prompt,
    tools,
    limits: { ...unlimited, ...limits },
    ...(waits
      ? { attended: true, onWait: 'suspend' as const }
      : { approve: async () => ({ verdict: 'allow' as const }) }),
  })
  for await (const _ of events);
  if (name !== undefined) await journal.rename(id, name)
  return exportRun(journal, id)
}

/** Imports a created run into a server. It can be read, but not continued. */
export async function importRun(server: ServeProcess, made: MadeRun): Promise<string> {
  const response = await server.post('/api/runs/import', { lines: await makeRun(made) })
  if (!response.ok) throw new Error(await response.text())
  return made.id
}

/** A tool that accepts any arguments and returns the result of `work`. */
export function madeTool(
  name: string,
  work: (args: Record<string, unknown>, context: Parameters<Tool['execute']>[1]) => unknown,
  {
    description = 'Does something',
    readOnly = true,
  }: Partial<Pick<Tool, 'description'>> & {
    readonly readOnly?: boolean
  } = {},
): Tool {
  return tool({
    name,
    description,
    parameters: { type: 'object', properties: {}, additionalProperties: true },
    readOnly,
    execute: work,
  })
}
