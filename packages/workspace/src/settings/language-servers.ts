import { languageServers as languageServersKey } from './keys/language-servers.ts'
import { settingValues } from './keys/key.ts'
import { type Settings } from './merge-settings.ts'
import type { ServerDefinition } from '@toolglot/tools/internal'

/** The language servers that settings name, the strongest scope first. */
export function languageServersIn(settings: Settings): readonly ServerDefinition[] {
  return settingValues(settings, languageServersKey).flatMap(({ value, source }) =>
    value.map(({ name, command, endings, language = name, markers = [] }) => ({
      name,
      command,
      languages: Object.fromEntries(endings.map((ending) => [ending, language])),
      markers,
      install: `see languageServers in ${source.file ?? 'the settings'}`,
    })),
  )
}
