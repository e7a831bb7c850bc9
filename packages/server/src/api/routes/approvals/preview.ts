import type { Decision } from '@toolglot/permissions'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'

/** What a call would change. */
export interface ChangePreview {
  /** A unified diff; undefined if there is none, or it is not known. */
  readonly diff?: string | undefined
}

/** Shows what a call that waits would change. */
export const previewCall: Endpoint<
  'GET /api/runs/:run/preview',
  { readonly query: { readonly key: string } },
  ChangePreview
> = {
  name: 'GET /api/runs/:run/preview',
  about: 'Show what a call that waits for approval would change, as a diff, if its tool can tell.',
  query: z.strictObject({ key: z.string().min(1).max(1000).describe('The key of the request.') }),
  answers: {
    200: { about: 'The diff, if there is one.', schema: z.object({ diff: z.string().optional() }) },
  },
  async handle(
    { parameters: { run }, query: { key } },
    { services: { runs, folders, journal, executions } },
  ) {
    const asked = executions.decision(run, key) ?? (await recorded())
    const call = asked?.decision.call
    const paths = asked?.decision.parts.flatMap(({ real }) => (real === undefined ? [] : [real]))
    if (!call || !paths) return {}
    const workspace = await folders.open(asked?.folder)
    const diff = await folders.useOwnTools(workspace, undefined, async ({ tools }) =>
      tools.get(call.name)?.preview?.(call.args, { paths }),
    )
    return diff === undefined ? {} : { diff }

    async function recorded(): Promise<Asked | undefined> {
      const { folder, imported } = await runs.find(run)
      // It waits for nothing here, and may contain anything.
      if (imported) return undefined
      const records = await journal.read(run)
      const wait = records.find((record) => record.kind === 'wait' && record.key === key)
      const { decision } = (wait?.value as { request?: { decision?: Decision } })?.request ?? {}
      return decision && { folder, decision }
    }
  },
}

interface Asked {
  readonly folder: string | undefined
  readonly decision: Decision
}
