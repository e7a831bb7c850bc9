import { testParsers } from '../../permissions/test/in-child.ts'

testParsers({
  settings: `const { readSettings } = await from('workspace', 'settings/read-settings')
    readSettings(text, { file: 'a', scope: 'project', root: '/' })`,
  'settings in YAML': `const { readYaml } = await from('workspace', 'settings/read-yaml')
    readYaml(text)
    readYaml(text.slice(0, 65_000))`,
  'settings to change': `const { editSettings } = await from('workspace', 'settings/user-settings')
    editSettings(text, 'model', 'a', { file: 'a', scope: 'user', root: '/' })`,
  'an ignore file': `(await from('workspace', 'settings/read-ignore')).readIgnore(text, { file: 'a', root: '/' })`,
})
