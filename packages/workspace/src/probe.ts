export { dialectsFor } from './model/probe/dialects.ts'
export {
  type ModelProbe,
  probeModel,
  type ProbeOptions,
  type ProbeProgress,
} from './model/probe/probe-model.ts'
export type { ProbedProtocol, TaskResult } from './model/probe/probed-protocol.ts'
export { saveProtocol } from './model/probe/save-protocol.ts'
export type { ExpectedCall } from './model/call-problem.ts'
export type { ProbeTask } from './model/probe/task.ts'
