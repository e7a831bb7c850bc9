import { testParsers } from '../test/in-child.ts'

const DECIDE = `const { decide, readRules } = await from('permissions', 'index')
  const { nodeFileSystem } = await from('permissions', 'node/index')
  const view = nodeFileSystem({ cwd: '/tmp', home: '/tmp' })
  const rules = readRules({ allow: ['Bash(git *)', 'Read(**/*a*a*a*b)', 'WebFetch(domain:*.a.b)'], deny: ['Read(.env)'] })`

testParsers({
  rules: `const { readRules } = await from('permissions', 'index')
    readRules({ allow: [text, 'Bash(' + text + ')', 'Read(' + text + ')', 'WebFetch(domain:' + text + ')'] })
    readRules({ deny: text.split('\\n') })`,
  'a command': `${DECIDE}
    await decide({ name: 'Bash', args: { command: text } }, rules, view)
    await decide({ name: 'Bash', args: { command: text.slice(0, 9000) } }, rules, view)`,
  'paths and addresses': `${DECIDE}
    for (const [name, args] of Object.entries({
      Read: { file_path: text }, Write: { file_path: text, content: text }, Glob: { pattern: text, path: text },
      Grep: { pattern: text, glob: text, path: text }, WebFetch: { url: 'https://' + text }, [text]: {},
    })) await decide({ name, args }, rules, view)`,
  'an index of git': `(await from('permissions', 'node/repository')).readIndex(Buffer.from(text))`,
})
