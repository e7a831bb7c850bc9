import { testParsers } from '../../permissions/test/in-child.ts'

testParsers({
  'a chat template': `const { renderTemplate } = await from('agent', 'model/template/render-template')
    renderTemplate(text, { variables: { messages: [{ role: 'user', content: 'a' }] } })`,
  'a probed chat template': `(await from('agent', 'model/template/prompt-renderer')).createPromptRenderer({ chatTemplate: text })`,
  'an exported run': `const { importRuns } = await from('agent', 'journal/json-lines')
    const { memoryJournal } = await from('agent', 'journal/memory-journal')
    const head = { toolglot: 'run', version: 4, run: 'a', records: 1 }
    const record = { key: 'a', kind: 'value', time: 0, value: text }
    for (const lines of [text, JSON.stringify(head) + '\\n' + text, [head, record].map((each) => JSON.stringify(each)).join('\\n')])
      await importRuns(memoryJournal(), lines).catch((error) => error.message)`,
  'a reply of a server': `const { parseObject } = await from('agent', 'model/http/json-reader')
    const { createReplyReader } = await from('agent', 'model/open-ai/reply-reader')
    createReplyReader().read(parseObject(text), text)`,
})
