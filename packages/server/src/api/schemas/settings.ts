import { z } from 'zod'
import type { RuleScope, RuleSource } from '@toolglot/permissions'
import type { FolderTrust, SettingsProblem } from '@toolglot/workspace'
import { typed } from './described.ts'

/** The `folder` field of an input. */
export const folder: z.ZodOptional<z.ZodString> = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('The absolute path of the folder to work in. Default: the folder of the server.')

/** An input with a folder. */
export interface InFolder {
  readonly folder?: string | undefined
}

/** The scope of a setting. */
export const scope: z.ZodType<RuleScope> = z
  .enum(['managed', 'cli', 'local', 'project', 'user'])
  .describe(
    "Whose settings: the administrator's, this request's or the command line's, the folder's local ones, the folder's own, the user's.",
  )

/** A place in the settings. */
export interface Place {
  readonly scope: RuleScope
  readonly file?: string
  /** Counted from 1. */
  readonly line?: number
}

/** The fields that describe a place in the settings. */
export const placeFields: {
  readonly scope: typeof scope
  readonly file: z.ZodOptional<z.ZodString>
  readonly line: z.ZodOptional<z.ZodNumber>
} = {
  scope,
  file: z.string().optional().describe('The settings file.'),
  line: z.number().optional().describe('The line in the file, counted from 1.'),
}

/** The place of a rule in the settings, without the details that only the rule parser needs. */
export function placeOf({ scope: whose, file, line }: RuleSource): Place {
  return {
    scope: whose,
    file,
    line,
  }
}

/** The trust state of a folder. */
export const trustState: z.ZodType<FolderTrust> = z
  .enum(['trusted', 'changed', 'untrusted'])
  .describe(
    'The trust state of the folder. `changed`: its settings have changed since it was trusted.',
  )

/** The trust state of a folder that may no longer exist. */
export type KnownFolderTrust = FolderTrust | 'gone'

/** The schema of `KnownFolderTrust`. */
export const knownFolderTrust: z.ZodType<KnownFolderTrust> = z
  .enum(['trusted', 'changed', 'untrusted', 'gone'])
  .describe('The trust state of the folder. `gone`: the folder no longer exists.')

/** A problem in a settings file. */
export type ListedProblem = SettingsProblem

/** The schema of a problem in a settings file. */
export const settingsProblem: z.ZodType<ListedProblem> = typed(
  z
    .object({
      file: z.string(),
      line: z.number().optional().describe('Counted from 1.'),
      reason: z.string(),
    })
    .meta({ id: 'SettingsProblem' }),
)
