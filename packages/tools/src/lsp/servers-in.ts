import { languageServersKey, saidOf, type Settings } from '@toolglot/agent'
import type { ServerDefinition } from './definition.ts'

/** Language servers of a person's own, the strongest scope's first. */
export function serversIn(settings: Settings): readonly ServerDefinition[] {
  return saidOf(settings, languageServersKey).flatMap(({ value, source }) =>
    value.map(({ name, command, endings, language = name, markers = [] }) => ({
      name,
      command,
      languages: Object.fromEntries(endings.map((ending) => [ending, language])),
      markers,
      install: `see languageServers in ${source.file ?? 'the settings'}`,
    })),
  )
}
