/**
 * Rate limits that instances share: a sliding window in one row for each key, and a client for `rate-limiter-flexible`.
 */
import type { Executor } from '../executor.ts'

export interface CountedHit {
  /** When the hit was counted; `null` if it was refused. */
  moment: number | null
  /** The number of hits at each moment as JSON. Moments are in milliseconds of the database's clock. */
  hits: string
  nowMs: number
}

interface RequestHit {
  key: string
  /** The number of requests that the window allows. */
  requests: number
  windowMs: number
  /** Hits are counted together by moments that are multiples of this. */
  grainMs: number
}

const now = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint'

/** `points` is greater than the allowed requests if the hit was refused. The row lock serializes the hits of a key. */
const count = `INSERT INTO rate_limit AS held (key, points, expire, hits)
  SELECT $1, 1, moment + $3::bigint, json_build_object(moment, 1)::text
  FROM (SELECT (${now} + $4::bigint - 1) / $4::bigint * $4::bigint AS moment) AS clock
  ON CONFLICT (key) DO UPDATE SET (points, expire, hits) = (
    SELECT least(total, $2::bigint) + 1,
      CASE WHEN total < $2::bigint THEN excluded.expire ELSE held.expire END,
      CASE WHEN total < $2::bigint THEN (live || jsonb_build_object(
        moment, coalesce((live ->> moment)::bigint, 0) + 1
      ))::text ELSE live::text END
    FROM (
      SELECT coalesce(sum(value::bigint), 0)::bigint AS total,
        coalesce(jsonb_object_agg(key, value::bigint), '{}') AS live,
        (excluded.expire - $3::bigint)::text AS moment
      FROM jsonb_each_text(held.hits::jsonb)
      WHERE key::bigint > ${now} - $3::bigint
    ) AS kept
  )
  RETURNING points, hits, expire - $3::bigint AS moment, ${now} AS counted_at`

/** Removes one hit of a moment, if it is still there. */
const uncount = `UPDATE rate_limit SET hits = (
    CASE WHEN (hits::jsonb ->> $2)::bigint > 1
      THEN hits::jsonb || jsonb_build_object($2::text, (hits::jsonb ->> $2)::bigint - 1)
      ELSE hits::jsonb - $2 END
  )::text
  WHERE key = $1 AND jsonb_exists(hits::jsonb, $2)`

/** Counts a request, unless the window has as many as it allows. */
export async function countHit(executor: Executor, hit: RequestHit): Promise<CountedHit> {
  const { rows } = await executor.run(count, [hit.key, hit.requests, hit.windowMs, hit.grainMs], true)
  const [{ points, hits, moment, counted_at: nowMs } = {}] = rows
  const isAllowed = Number(points) <= hit.requests
  return { moment: isAllowed ? Number(moment) : null, hits: String(hits), nowMs: Number(nowMs) }
}

/** Takes a counted request back. @param moment at which `countHit` has counted it */
export async function releaseHit(executor: Executor, key: string, moment: number): Promise<void> {
  await executor.run(uncount, [key, String(moment)], true)
}

interface Query {
  text: string
  values: unknown[]
}

/** An executor with the interface of a `pg` client, for libraries with their own SQL. */
export function asPgClient(executor: Executor) {
  return {
    query: async ({ text, values }: Query) => {
      const { rows, affected } = await executor.run(text, values, true)
      return { rows, rowCount: Math.max(rows.length, affected) }
    },
  }
}
