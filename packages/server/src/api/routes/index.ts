// Every endpoint of the API, by resource.
export {
  answerQuestions,
  approveCall,
  denyCall,
  followApprovals,
  listApprovals,
  previewCall,
} from './approvals.ts'
export { executeTool, showExecution, stopExecution } from './execute.ts'
export { listFolders } from './folders.ts'
export { followGatewayRequests, listGatewayRequests } from './gateway-requests.ts'
export { listMcpServers, restartMcpServers } from './mcp.ts'
export { testModel, useModel } from './models/choose.ts'
export { listModels } from './models/list.ts'
export { showOpenApi } from './openapi.ts'
export { parseReply } from './parse.ts'
export { explainCall, lintFolderRules } from './permit.ts'
export { listProtocols, previewPrompt, showProtocol } from './protocols.ts'
export {
  forkRun,
  listChanges,
  resumeRun,
  sendMessage,
  startRun,
  stopRun,
  undoRun,
} from './runs/control.ts'
export { followRun, replayRun, showOutline, showTurn } from './runs/history.ts'
export { exportRun, importRuns, listRuns, removeRun, renameRun, showRun } from './runs/runs.ts'
export { showSandbox } from './sandbox.ts'
export { searchRuns } from './search.ts'
export { changeSetting, listSettings, showSettingsSchema } from './settings.ts'
export { showStatistics } from './stats.ts'
export { showStatus } from './status.ts'
export { listTools } from './tools.ts'
export { listTrusted, revokeTrust, showTrust, trustFolder } from './trust.ts'
