import type { PermissionMode, Verdict } from '@toolglot/permissions'
import {
  type FolderTrust,
  grantsNothing,
  type LoadedSettings,
  removeTrust,
  trustedFolders,
  trustFile,
  trustFolder as recordTrust,
} from '@toolglot/workspace'
import { comesWithFolder, findFolder, printProblem } from '@toolglot/workspace/internal'
import { isAbsolute } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { HttpError } from '../../security/http-error.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  folder,
  type InFolder,
  settingsProblem,
  type ListedProblem,
  type Place,
  placeFields,
  placeOf,
  knownFolderTrust,
  type KnownFolderTrust,
  trustState,
} from '../schemas/settings.ts'
import { trustStateOf } from './folders.ts'

/** The trust state of a folder, and the settings to review before trusting it. */
export interface TrustOffer {
  readonly folder: string
  readonly trust: FolderTrust
  /** The trusted folder: this one or a parent. */
  readonly trustedAt?: string
  /** True if trusting the folder would change nothing. */
  readonly grantsNothing: boolean
  /** Calls that would run without approval. */
  readonly rules: readonly ({ readonly rule: string } & Place)[]
  /** Folders that would be added to the workspace. */
  readonly roots: readonly ({ readonly path: string } & Place)[]
  /** Protocol files, whose code would run. */
  readonly protocols: readonly ({ readonly path: string } & Place)[]
  /** All other values that would take effect. */
  readonly values: readonly TrustedValue[]
  /** A looser permission mode. */
  readonly mode?: PermissionMode
  /** Calls that are denied or need approval in any case. */
  readonly restrictions: readonly ({ readonly rule: string; readonly verdict: Verdict } & Place)[]
  /** Problems with the settings. While there are any, the folder cannot be trusted. */
  readonly problems: readonly ListedProblem[]
  /**
   * The digests that `POST /api/trust` confirms. They change with the settings and with the code
   * that the settings load.
   */
  readonly digests: readonly string[]
}

/** A value that a folder would set. */
export interface TrustedValue extends Place {
  readonly key: string
  readonly value: unknown
}

/** A trusted folder. */
export interface ListedTrust {
  readonly folder: string
  /** The time of the confirmation, as an ISO date. */
  readonly time: string
  readonly trust: KnownFolderTrust
}

/** A folder that is no longer trusted itself. */
export interface RevokedTrust {
  readonly folder: string
  /** The folder's new state: still `trusted` if a parent is trusted. */
  readonly trust: KnownFolderTrust
  /** The parent that is still trusted. */
  readonly trustedAt?: string
  /** The folders removed from the list: this folder and those inside it. */
  readonly removed: readonly string[]
}

const offer = z
  .object({
    folder: z.string(),
    trust: trustState,
    trustedAt: z.string().optional().describe('The trusted folder: this one or a parent.'),
    grantsNothing: z.boolean().describe('True if trusting the folder would change nothing.'),
    rules: z
      .array(z.object({ rule: z.string(), ...placeFields }))
      .describe('Calls that would run without approval.'),
    roots: z
      .array(z.object({ path: z.string(), ...placeFields }))
      .describe('Folders that would be added to the workspace.'),
    protocols: z
      .array(z.object({ path: z.string(), ...placeFields }))
      .describe('Protocol files, whose code would run.'),
    values: z
      .array(z.object({ key: z.string(), value: z.unknown(), ...placeFields }))
      .describe(
        'All other values that would take effect, including programs and files with code that would run. No value is hidden.',
      ),
    mode: z.string().optional().describe('A looser permission mode.'),
    restrictions: z
      .array(z.object({ rule: z.string(), verdict: z.string(), ...placeFields }))
      .describe('Calls that are denied or need approval in any case.'),
    problems: z
      .array(settingsProblem)
      .describe('Problems. While there are any, the folder cannot be trusted.'),
    digests: z.array(z.string()).describe('The digests that POST /api/trust confirms.'),
  })
  .meta({ id: 'TrustOffer' })

/** Shows what the settings of a folder would allow, without loading any code. */
export const showTrust: Endpoint<'GET /api/trust', { readonly query: InFolder }, TrustOffer> = {
  name: 'GET /api/trust',
  about: 'Show the trust state of a folder, and what its settings would allow. No code is loaded.',
  query: z.strictObject({ folder }),
  answers: { 200: { about: 'The settings to review before trusting the folder.', schema: offer } },
  handle: async ({ query }, { services }) => offerOf(await services.folders.open(query.folder)),
}

/** The digests of the settings that the user has reviewed and trusts. */
export interface TrustInput {
  readonly folder: string
  readonly digests: readonly string[]
}

/** Trusts a folder with exactly the settings that were shown. */
export const trustFolder: Endpoint<'POST /api/trust', { readonly body: TrustInput }, TrustOffer> = {
  name: 'POST /api/trust',
  about: 'Trust a folder with exactly the settings shown by GET /api/trust.',
  body: z.strictObject({
    folder: z.string().min(1).max(4096).describe('The folder, as in GET /api/trust.'),
    digests: z
      .array(z.string().max(128))
      .min(1)
      .max(4)
      .describe(
        'The digests from GET /api/trust. If the settings have changed since, the request is refused.',
      ),
  }),
  answers: { 200: { about: 'The folder is trusted.', schema: offer } },
  async handle({ body }, { services: { folders } }) {
    const loaded = await folders.open(body.folder)
    const [problem] = problemsOf(loaded)
    // A link may have changed its target by now.
    if (loaded.folder !== body.folder) {
      throw new HttpError(
        'wrong_folder',
        `The folder is a link. Its real path is ${loaded.folder}.`,
        {
          action: 'Check that folder with GET /api/trust, then trust it by that path.',
        },
      )
    }
    if (problem) {
      throw new HttpError(
        'settings_invalid',
        `These settings cannot be trusted: ${printProblem(problem)}`,
        { action: 'Fix the settings first. Until then, everything needs approval.' },
      )
    }
    if (!isSame(loaded.digests, body.digests)) {
      throw new HttpError(
        'settings_changed',
        'The settings of the folder, or the code that they load, have changed since they were shown.',
        {
          action:
            'Show them again with GET /api/trust. A file that cannot be read is never trusted.',
        },
      )
    }
    recordTrust(loaded, loaded)
    return offerOf(await folders.open(body.folder))
  },
}

/** Stops trusting a folder. */
export const revokeTrust: Endpoint<
  'DELETE /api/trust',
  { readonly query: { readonly folder: string } },
  RevokedTrust
> = {
  name: 'DELETE /api/trust',
  about: 'Stop trusting a folder and the folders inside it.',
  details:
    'MCP servers, background commands and other programs started with its settings stop, as do those of folders inside it, even if a run keeps them open for a while. Programs that a run or a call is using stop when it has ended. The trust in a folder that no longer exists can also be revoked. If a parent is trusted, the folder remains trusted.',
  query: z.strictObject({
    folder: z.string().min(1).max(4096).describe('The absolute path of the folder.'),
  }),
  answers: {
    200: {
      about: 'The removed folders, and the new trust state of the folder.',
      schema: z.object({
        folder: z.string(),
        trust: knownFolderTrust,
        trustedAt: z.string().optional().describe('The parent that is still trusted.'),
        removed: z.array(z.string()).describe('The folders that are no longer in the list.'),
      }),
    },
  },
  async handle({ query }, { services: { folders } }) {
    if (!isAbsolute(query.folder)) {
      throw new HttpError('invalid_request', 'folder must be an absolute path.', {
        action: 'GET /api/trust/folders lists the trusted folders.',
      })
    }
    const { directories } = await folders.open()
    const path = findFolder(query.folder) ?? query.folder
    const removed = removeTrust(trustFile({ directories }), path).map((entry) => entry.folder)
    await folders.reload(path)
    if (findFolder(path) === undefined) return { folder: path, trust: 'gone', removed }
    const { trust, trustedAt } = await folders.open(path)
    return { folder: path, trust, trustedAt, removed }
  },
}

/** Lists the trusted folders. */
export const listTrusted: Endpoint<'GET /api/trust/folders', object, readonly ListedTrust[]> = {
  name: 'GET /api/trust/folders',
  about: 'List the trusted folders, with their current trust states.',
  answers: {
    200: {
      about: 'The folders.',
      schema: z.array(
        z.object({
          folder: z.string(),
          time: z.string().describe('The time of the confirmation.'),
          trust: knownFolderTrust,
        }),
      ),
    },
  },
  async handle(_, { services: { folders } }) {
    const { directories } = await folders.open()
    const listed: ListedTrust[] = []
    for (const { folder: path, time } of trustedFolders(trustFile({ directories }))) {
      // Settings are read synchronously, so this lets other requests run in between.
      await setImmediate()
      listed.push({ folder: path, time, trust: trustStateOf(path, { directories }) })
    }
    return listed
  },
}

function offerOf(loaded: LoadedSettings): TrustOffer {
  const { rules, roots, protocols, values, mode } = loaded.grants
  return {
    folder: loaded.folder,
    trust: loaded.trust,
    trustedAt: loaded.trustedAt,
    grantsNothing: grantsNothing(loaded.grants),
    rules: rules.map(({ text, source }) => ({ rule: text, ...placeOf(source) })),
    roots: roots.map(({ path, source }) => ({ path, ...placeOf(source) })),
    protocols: protocols.map(({ path, source }) => ({ path, ...placeOf(source) })),
    values: values.map((given) => ({
      key: given.key,
      // Shown unredacted: users must see all code that would run, and an apparent secret may be a
      // command.
      value: given.value,
      ...placeOf(given.source),
    })),
    mode,
    restrictions: loaded.files
      .filter(comesWithFolder)
      .flatMap((file) =>
        file.rules
          .filter(({ verdict }) => verdict !== 'allow')
          .map(({ text, verdict, source }) => ({ rule: text, verdict, ...placeOf(source) })),
      ),
    problems: problemsOf(loaded),
    digests: loaded.digests,
  }
}

function problemsOf({ files }: LoadedSettings): readonly ListedProblem[] {
  return files.flatMap((file) => file.problems)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((digest, at) => digest === other[at])
}
