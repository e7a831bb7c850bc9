import { defaultLimits, type Limits } from '@toolglot/agent'
import type { PermissionMode, RuleScope } from '@toolglot/permissions'
import {
  changeUserSettings,
  type FolderTrust,
  settingsSchema,
  UserError,
  userSettingsFile,
  type Workspace,
} from '@toolglot/workspace'
import {
  allSettings,
  findSetting,
  limitSettings,
  refuseInvalidRules,
  type Setting,
  settingEntries,
} from '@toolglot/workspace/internal'
import { z } from 'zod'
import { HttpError } from '../../security/http-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { typed } from '../schemas/described.ts'
import {
  folder,
  type InFolder,
  type ListedProblem,
  settingsProblem,
  type Place,
  placeFields,
  placeOf,
  scope,
  trustState,
} from '../schemas/settings.ts'
import { containsHidden, restoreHidden, settingWithoutSecrets } from '../without-secrets.ts'

/** A value in a settings file. */
export interface ListedSetting extends Place {
  readonly key: string
  /** The value without secrets. */
  readonly value: unknown
  /** True if the value is in effect. Values of an untrusted folder are not. */
  readonly counts: boolean
}

/** The settings that apply in a folder. */
export interface SettingsList {
  readonly folder: string
  readonly trust: FolderTrust
  /** The permission mode in effect. */
  readonly mode: PermissionMode
  /** All values, the strongest scope first. */
  readonly values: readonly ListedSetting[]
  /** The settings files that exist, with their problems. */
  readonly files: readonly ListedSettingsFile[]
  /** The user's own settings file, which `PUT /api/settings` changes. */
  readonly userFile: string
  /** All available settings. */
  readonly keys: readonly Setting[]
  /** The default limits of a run, and the built-in ones. */
  readonly limits: { readonly effective: Limits; readonly defaults: Limits }
}

/** A settings file. */
export interface ListedSettingsFile {
  readonly file: string
  readonly scope: RuleScope
  /** While there are any, every call needs approval. */
  readonly problems: readonly ListedProblem[]
  readonly warnings: readonly ListedProblem[]
}

/** A setting that was changed. */
export interface ChangedSetting {
  readonly key: string
  /** The file that was changed. */
  readonly file: string
  /** The setting's current values in the server's folder, strongest scope first. */
  readonly values: readonly ListedSetting[]
}

const listedSetting = z
  .object({
    key: z.string().describe('For example permissions.mode.'),
    value: z.unknown().describe('The value, without secrets.'),
    counts: z
      .boolean()
      .describe('True if the value is in effect. Values of an untrusted folder are not.'),
    ...placeFields,
  })
  .meta({ id: 'ListedSetting' })

/** Lists the settings that apply in a folder. */
export const listSettings: Endpoint<
  'GET /api/settings',
  { readonly query: InFolder },
  SettingsList
> = {
  name: 'GET /api/settings',
  about: 'List the settings in a folder: each value, its file, and whether it is in effect.',
  query: typed(z.strictObject({ folder })),
  answers: {
    200: {
      about: 'The settings.',
      schema: z.object({
        folder: z.string(),
        trust: trustState,
        mode: z.string().describe('The permission mode in effect.'),
        values: z.array(listedSetting),
        files: z.array(
          z.object({
            file: z.string(),
            scope,
            problems: z
              .array(settingsProblem)
              .describe('While there are any, every call needs approval.'),
            warnings: z.array(settingsProblem),
          }),
        ),
        userFile: z.string().describe("The user's own settings, which PUT /api/settings changes."),
        keys: z
          .array(
            z.object({
              key: z.string(),
              about: z.string(),
              kind: z.enum(['text', 'list', 'json']).describe('The format of its value.'),
            }),
          )
          .describe('All available settings.'),
        limits: z
          .object({ effective: z.looseObject({}), defaults: z.looseObject({}) })
          .describe('The limits of a run without its own, and the built-in ones.'),
      }),
    },
  },
  async handle({ query }, { services }) {
    const workspace = await services.folders.open(query.folder)
    return {
      folder: workspace.folder,
      trust: workspace.trust,
      mode: workspace.settings.mode,
      values: valuesOf(workspace),
      files: workspace.files.map(({ file, scope: whose, problems, warnings }) => ({
        file,
        scope: whose,
        problems,
        warnings,
      })),
      userFile: userSettingsFile(workspace.directories),
      keys: allSettings(),
      limits: {
        effective: { ...defaultLimits, ...limitSettings(workspace.settings) },
        defaults: defaultLimits,
      },
    }
  },
}

/** Prints the JSON Schema of settings files. */
export const showSettingsSchema: Endpoint<'GET /api/settings/schema', object, object> = {
  name: 'GET /api/settings/schema',
  about: 'Print the JSON Schema of settings files.',
  answers: { 200: { about: 'A JSON Schema.', schema: z.looseObject({}) } },
  handle: () => JSON.parse(settingsSchema()) as object,
}

/** A setting to change. */
export interface ChangeInput {
  readonly key: string
  /** Null removes it. */
  readonly value: unknown
}

/** Changes the user's own settings. */
export const changeSetting: Endpoint<
  'PUT /api/settings',
  { readonly body: ChangeInput },
  ChangedSetting
> = {
  name: 'PUT /api/settings',
  about: "Change the user's own settings. Settings of a folder are never changed.",
  details:
    'Values hidden by GET /api/settings are kept. Secrets are refused: put them in the environment.',
  body: typed(
    z.strictObject({
      key: z.string().min(1).max(200).describe('For example permissions.mode.'),
      value: z
        .unknown()
        .refine((value): boolean => value !== undefined, 'must be a value, or null to remove it')
        .describe('The new value. Null removes the key.'),
    }),
  ),
  answers: {
    200: {
      about: 'The setting was changed.',
      schema: z.object({
        key: z.string(),
        file: z.string().describe('The file that was changed.'),
        values: z
          .array(listedSetting)
          .describe("Its values in the server's folder now, the strongest scope first."),
      }),
    },
  },
  async handle({ body: { key: name, value } }, { services: { folders } }) {
    const { key } = settingNamed(name)
    const before = await folders.open()
    await checkRules(key, value, before)
    const file = changeUserSettings(
      before.directories,
      key,
      value === null ? undefined : withHidden(key, value, before),
    )
    const values = valuesOf(await folders.open()).filter((each) =>
      `${key}.`.startsWith(`${each.key}.`),
    )
    return { key, file, values }
  },
}

/** Throws a UserError for an invalid rule. */
async function checkRules(key: string, value: unknown, workspace: Workspace): Promise<void> {
  const verdict = (['allow', 'ask', 'deny'] as const).find((each) => key === `permissions.${each}`)
  if (!verdict || !Array.isArray(value)) return
  const { tools } = await workspace.permissions()
  const texts = value.filter((each) => typeof each === 'string')
  refuseInvalidRules({ verdict, source: { scope: 'user' } }, texts, tools)
}

function settingNamed(name: string): Setting {
  try {
    return findSetting(name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new HttpError('invalid_request', `key: ${error.message}`, {
      action: 'GET /api/settings lists all keys.',
    })
  }
}

function valuesOf(workspace: Workspace): ListedSetting[] {
  return settingEntries(workspace).map(({ key, value, counts, source }) => ({
    key,
    value: settingWithoutSecrets(key, value),
    counts,
    ...placeOf(source),
  }))
}

/** The new value, with the current values restored for those hidden from the client. */
function withHidden(key: string, value: unknown, { files, directories }: Workspace): unknown {
  const own = files.find(({ file }) => file === userSettingsFile(directories))
  const current = own?.values.find((each) => each.key === key)?.value
  const restored = restoreHidden(value, settingWithoutSecrets(key, current), current)
  if (!containsHidden(restored)) return restored
  throw new HttpError(
    'invalid_request',
    'value contains the placeholder of a hidden value that no longer exists.',
    {
      action: 'Write the actual value, or a reference to the environment such as ${TOKEN}.',
    },
  )
}
