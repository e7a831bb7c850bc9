export {
  dialectsFor,
  type ModelProbe,
  probeModel,
  type ProbeOptions,
  type ProbeProgress,
  saveProtocol,
} from './model/probe/probe-model.ts'
export type { ProbedProtocol, TaskResult } from './model/probe/score.ts'
export type { ExpectedCall } from './model/try-model.ts'
export type { ProbeTask } from './model/probe/tasks.ts'
