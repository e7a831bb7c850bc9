import { type Limits, run, type Tool, tool } from '@toolglot/agent'
import { exportRun, memoryJournal } from '@toolglot/agent/journal'
import { type ScriptedReply, scriptedModel } from '@toolglot/agent/testing'
import type { ServeProcess } from '../../packages/cli/test/serve-process.ts'

/** A run that a test makes up, without a server. */
export interface MadeRun {
  readonly id: string
  readonly name?: string
  readonly prompt: string
  /** What the model writes, one after the other, in the protocol hermes. */
  readonly replies: readonly ScriptedReply[]
  readonly tools?: readonly Tool[]
  readonly limits?: Partial<Limits>
  /** Whether it stops where it asks for something for the first time, and waits. */
  readonly waits?: boolean
}

/** Executes a run with a scripted model, and returns it as it is exported. */
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

/** Gives a server a run that was made up. It can be read, but not continued. */
export async function importRun(server: ServeProcess, made: MadeRun): Promise<string> {
  const response = await server.post('/api/runs/import', { lines: await makeRun(made) })
  if (!response.ok) throw new Error(await response.text())
  return made.id
}

/** A tool that takes anything and returns what `work` returns. */
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
