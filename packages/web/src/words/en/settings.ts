import { limits } from './settings-limits.ts'
import { models } from './settings-models.ts'
import { permissions } from './settings-permissions.ts'
import { places } from './settings-places.ts'

export const settings = {
  ...models,
  ...permissions,
  ...places,
  ...limits,
  'settings.title': 'Settings',
  'settings.kept': 'Kept in',
  'settings.copyPath': 'Copy the path of your settings file',
  'settings.save': 'Save',
  'settings.saved': 'Saved',
  'settings.notSaved': 'Nothing was saved',
  'settings.undo': 'Undo',
  'settings.undone': 'Restored',
  'settings.discard': 'Discard changes',
  'settings.writtenIn': 'Written in',
  'settings.place.own': 'your settings',
  'settings.place.managed': 'managed',
  'settings.place.given': 'command line',
  'settings.place.default': 'Default',
  'settings.page.models': 'Models',
  'settings.page.permissions': 'Permissions',
  'settings.page.folders': 'Folders and trust',
  'settings.page.mcp': 'MCP servers',
  'settings.page.sandbox': 'Sandbox',
  'settings.page.limits': 'Limits',
  'settings.page.look': 'Language and appearance',
  'settings.page.all': 'All settings',
  'settings.broken':
    '{count, plural, one {A settings file has an error.} other {# settings files have errors.}}',
  'settings.broken.effect':
    'Until it is fixed, nothing runs without your approval. Rules that deny still apply.',
  'settings.warnings': 'Part of a settings file has no effect:',
  'settings.look.language': 'Language',
  'settings.look.languageHelp':
    'Only this page is translated. What models, tools and the server write stays as it is.',
  'settings.look.theme': 'Theme',
  'settings.look.light': 'Light',
  'settings.look.dark': 'Dark',
  'settings.look.system': 'System',
  'settings.look.kept': 'Both are kept in this browser, not in your settings file.',
  'settings.all.about': 'Every setting, its values, and where each is written',
  'settings.all.change': 'Change {key}',
  'settings.all.unset': 'Not set',
  'settings.all.own': 'In your own settings',
  'settings.all.notJson': 'This is not valid JSON.',
  'settings.all.kind.text': 'Leave it empty to remove the setting.',
  'settings.all.kind.list': 'One item per line. Leave it empty to remove the setting.',
  'settings.all.kind.json': 'As JSON. Leave it empty to remove the setting.',
} as const
