import type { ClientCapabilities } from 'vscode-languageserver-protocol'

/** The capabilities that we announce to servers. Edits are not among them. */
export const capabilities: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    symbol: {},
    didChangeWatchedFiles: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    callHierarchy: {},
    diagnostic: { dynamicRegistration: true },
    publishDiagnostics: { versionSupport: true },
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] },
      },
      isPreferredSupport: true,
    },
  },
  // rust-analyzer reports when it has loaded everything.
  experimental: { serverStatusNotification: true },
}
