import { type Selectable, sql } from 'kysely'
import type { StoreTables, TokensTable } from '../tables.ts'
import type { StoredToken, Team } from '../team.ts'
import type { SqlEngine } from './engine.ts'
import { firstOf, rowsOf } from './steps.ts'

/** Tokens, owners and claims in SQL. */
export function createSqlTeam(engine: SqlEngine<StoreTables>): Team {
  const { db, read, write } = engine
  return {
    ...tokensIn(engine),
    owners: () => readOwners(engine),
    async sessionOwners() {
      const rows = await read(() => rowsOf(db.selectFrom('owners').select(['session', 'owner'])))
      return new Map(rows.map(({ session, owner }) => [Number(session), owner]))
    },
    async claim(job, at, forMs) {
      const until = at + forMs
      const query = db
        .insertInto('claims')
        .values({ job, until })
        .onConflict((conflict) =>
          conflict.column('job').doUpdateSet({ until }).where(sql.ref('claims.until'), '<=', at),
        )
        .returning('job')
      return (await write(() => rowsOf(query))).length > 0
    },
  }
}

function tokensIn({
  db,
  read,
  write,
}: SqlEngine<StoreTables>): Pick<Team, 'addToken' | 'findToken' | 'tokens' | 'revokeTokens'> {
  return {
    async addToken({ id, name, hash, createdAt, expiresAt, revokedAt }) {
      const row = { id, name, hash, created_at: createdAt }
      const ends = { expires_at: expiresAt, revoked_at: revokedAt }
      await write(() => rowsOf(db.insertInto('tokens').values({ ...row, ...ends })))
    },
    async findToken(id) {
      const query = db.selectFrom('tokens').selectAll().where('id', '=', id)
      const row = await read(() => firstOf(query))
      return row === undefined ? null : tokenFrom(row)
    },
    async tokens() {
      const query = db.selectFrom('tokens').selectAll().orderBy('created_at').orderBy('id')
      return (await read(() => rowsOf(query))).map(tokenFrom)
    },
    async revokeTokens(idOrName, at) {
      const query = db
        .updateTable('tokens')
        .set({ revoked_at: at })
        .where('revoked_at', 'is', null)
        .where(({ or, eb }) => or([eb('id', '=', idOrName), eb('name', '=', idOrName)]))
        .returningAll()
      return (await write(() => rowsOf(query))).map(tokenFrom)
    },
  }
}

async function readOwners({ db, read }: SqlEngine<StoreTables>): ReturnType<Team['owners']> {
  const sessions = db
    .selectFrom('owners')
    .innerJoin('sessions', 'sessions.number', 'owners.session')
    .select(({ fn }) => [
      'owners.owner',
      fn.countAll<number>().as('sessions'),
      fn.max('sessions.used_at').as('used_at'),
    ])
    .groupBy('owners.owner')
    .orderBy('owners.owner')
  const sums = db
    .selectFrom('owners')
    .innerJoin('statistics', 'statistics.session', 'owners.session')
    .select(({ fn }) => ['owners.owner', 'statistics.name', fn.sum<number>('value').as('sum')])
    .groupBy(['owners.owner', 'statistics.name'])
  const [rows, values] = await read(function* () {
    return [yield* rowsOf(sessions), yield* rowsOf(sums)] as const
  })
  return rows.map(({ owner, sessions: count, used_at: usedAt }) => ({
    owner,
    sessions: Number(count),
    usedAt: Number(usedAt),
    statistics: Object.fromEntries(
      values.filter((each) => each.owner === owner).map(({ name, sum }) => [name, Number(sum)]),
    ),
  }))
}

function tokenFrom(row: Selectable<TokensTable>): StoredToken {
  const { id, name, hash } = row
  return {
    id,
    name,
    hash,
    createdAt: Number(row.created_at),
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
  }
}
