import { testParsers } from '../../permissions/test/in-child.ts'

testParsers({
  'a glob': `const { readGlob } = await from('tools', 'search/glob')
    readGlob(text).matches(text)
    readGlob(text.slice(0, 4000)).matches(text)`,
  'a notebook': `(await from('tools', 'read/read-open-file')).notebookText(text)`,
  'an edit': `const old = text.slice(0, text.length >> 1) + 'x'
    ;(await from('tools', 'edit/find-matches')).findMatches(text, { old, replacement: 'b' }, true)
    ;(await from('tools', 'edit/near-miss')).nearMiss(text.slice(0, 20_000), old)
    ;(await from('tools', 'edit/near-miss')).closestLine(text, old)`,
  'a diff': `const { unifiedDiff } = await from('tools', 'edit/diff')
    unifiedDiff(text, text.slice(1) + 'x', 'a')
    unifiedDiff(text, [...text].reverse().join(''), 'a')`,
  'a page': `(await from('tools', 'web/shown-text')).wrapUntrusted(text, text)
    ;(await from('tools', 'web/page')).decodeBody(Buffer.from(text), text)
    ;(await from('tools', 'encoding/guess')).guessEncoding(Buffer.from(text))`,
  'a tool of an MCP server': `(await from('tools', 'mcp/client/clean-text')).cleanText(text, 1000)
    ;(await from('tools', 'mcp/client/clean-text')).localToolName(text, text)`,
  'the answer of a language server': `(await from('tools', 'lsp/read-answers')).readHover(text)
    ;(await from('tools', 'lsp/read-answers')).readSymbols(JSON.parse(text), 'a')`,
})
