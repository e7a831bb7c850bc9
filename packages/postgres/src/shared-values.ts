import type { SharedValues } from '@toolglot/agent/journal/internal'
import type { Database } from './database.ts'
import type { UseConnection } from './postgres-journal.ts'

/** Values other than runs that servers share, in the journal's database. */
export function sharedValues(use: UseConnection): SharedValues {
  return {
    get: (space, key, { owner = '', renew } = {}) =>
      use(async ({ database: { query } }) => {
        const where = 'WHERE space = $1 AND owner = $2 AND key = $3 AND expires > now()'
        const [row] =
          renew === undefined
            ? await query(`SELECT value FROM @shared ${where}`, [space, owner, key])
            : await query(
                `UPDATE @shared SET used = now(), expires = ${expiry('$4')} ${where} RETURNING value`,
                [space, owner, key, renew],
              )
        return row && (JSON.parse(String(row['value'])) as unknown)
      }),
    add: (space, key, value, { owner = '', lifetime, limits } = {}) =>
      use(({ database }) =>
        database.transaction(async (query) => {
          const text = JSON.stringify(value)
          const [added] = await query(
            `INSERT INTO @shared AS s VALUES ($1, $2, $3, $4, $5, now(), ${expiry('$6')})
             ON CONFLICT (space, owner, key) DO UPDATE
               SET value = excluded.value, size = excluded.size, used = excluded.used, expires = excluded.expires
               WHERE s.expires <= now()
             RETURNING key`,
            [space, owner, key, text, text.length, lifetime],
          )
          if (added && limits) await query(FORGET, [space, owner, limits.count, limits.size])
          return added !== undefined
        }),
      ),
    remove: (space, key) =>
      use(async ({ database: { query } }) => {
        const [row] = await query(
          `DELETE FROM @shared WHERE space = $1 AND owner = '' AND key = $2 RETURNING expires > now() AS counts`,
          [space, key],
        )
        return row?.['counts'] === true
      }),
    list: (space) =>
      use(async ({ database: { query } }) => {
        const rows = await query(
          `SELECT key, value FROM @shared WHERE space = $1 AND expires > now() ORDER BY used, key`,
          [space],
        )
        return new Map(
          rows.map(({ key, value }) => [String(key), JSON.parse(String(value)) as unknown]),
        )
      }),
    clear: (space) =>
      use(async ({ database: { query } }) => {
        await query('DELETE FROM @shared WHERE space = $1', [space])
      }),
  }
}

/** SQL for the time at which a value expires. Without a number, it never does. */
function expiry(milliseconds: string): string {
  return `coalesce(now() + ${milliseconds}::double precision * interval '1 ms', 'infinity')`
}

/** Deletes an owner's least recently used values. */
const FORGET = `
  DELETE FROM @shared WHERE (space, owner, key) IN (
    SELECT space, owner, key FROM (
      SELECT space, owner, key, row_number() OVER latest AS place, sum(size) OVER latest AS total
      FROM @shared WHERE space = $1 AND owner = $2 WINDOW latest AS (ORDER BY used DESC, key)
    ) AS each WHERE place > $3 OR total > $4)`

/** Deletes expired values, which are already invisible. */
export async function forgetExpired({ query }: Pick<Database, 'query'>): Promise<void> {
  await query('DELETE FROM @shared WHERE expires <= now()')
}
