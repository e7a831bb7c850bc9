export type { Host } from './host/host.ts'
export type {
  Ended,
  Processes,
  RunOptions,
  SandboxName,
  SandboxReport,
  StartOptions,
  Task,
  TaskOutput,
  TaskStatus,
  WaitOptions,
} from './host/processes.ts'
export { nodeHost, type NodeHostOptions } from './node/host.ts'
export { nodeProcesses, type ProcessOptions, type SandboxOptions } from './node/processes.ts'
export { type Detected, detectSandbox } from './sandbox/detect.ts'
export type { Network, Policy, Sandbox } from './sandbox/sandbox.ts'
export { type BashArgs, type BashResult, bashTool } from './tools/bash.ts'
export { type BashOutputArgs, type BashOutputResult, bashOutputTool } from './tools/bash-output.ts'
export { type KillShellArgs, type KillShellResult, killShellTool } from './tools/kill-shell.ts'
