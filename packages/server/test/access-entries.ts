import type { GatewayReport } from '../src/gateway/report.ts'
import type { AccessEntry } from '../src/observe/access-entry.ts'

type Changes<Value> = { readonly [Key in keyof Value]?: Value[Key] | undefined }

/** A gateway report, for tests. Changing a member to undefined removes it. */
export function report(changes: Changes<GatewayReport> = {}): GatewayReport {
  return changed<GatewayReport>(
    {
      api: 'chat-completions',
      path: '/v1/chat/completions',
      requestedModel: 'qwen3:8b',
      usedModel: 'qwen3:8b',
      tools: 3,
      model: 'qwen3:8b',
      protocol: 'hermes',
      stream: true,
      outcome: 'calls',
      calls: 2,
      callNames: ['Read', 'Read'],
      repairs: ['trailing-comma'],
      malformed: 0,
      retries: 0,
      usage: { input: 812, output: 95 },
      firstByte: 300,
      duration: 1200,
      notes: [],
    },
    changes,
  )
}

/** A completed request, for tests. Changing a member to undefined removes it. */
export function entry(changes: Changes<AccessEntry> = {}): AccessEntry {
  return changed<AccessEntry>(
    {
      time: new Date(2026, 0, 2, 12, 1, 5).getTime(),
      method: 'POST',
      route: '/v1/chat/completions',
      status: 200,
      duration: 1200,
      bytes: 1000,
      token: 'laptop',
      gateway: report(),
    },
    changes,
  )
}

function changed<Value extends object>(value: Value, changes: Changes<Value>): Value {
  return Object.fromEntries(
    Object.entries({ ...value, ...changes }).filter(([, member]) => member !== undefined),
  ) as Value
}
