/** Creates or only checks the rows of a file, many in one request if the entity allows this. */
import { ApiError, errorIn, type Problem, request } from '../../api.ts'
import { messageOf } from '../../component/notice.tsx'
import type { EntityDescription } from '../../describe.ts'
import { text } from '../../text/text.ts'
import { createRow } from '../rows.ts'
import type { Prepared } from './prepare.ts'
import type { Refusal } from './refused-lines.ts'
import { sendRows } from './send-rows.ts'

type Rows = Prepared['rows']

interface CreateOptions {
  /** Whether the rows are only checked, which only an entity with `hasBulk` can do. */
  isTrial?: boolean
  onProgress?: (sent: number) => void
  isStopped?: () => boolean
}

interface Report {
  rows: readonly { error?: Problem & { status: number } }[]
}

/** The number of rows that the service can check within its time limit. */
const rowsAtOnce = 200

/**
 * @returns the refused lines, and the lines that were not sent because it was stopped
 * @throws ApiError if a request that only checks is refused as a whole
 */
export async function createRows(
  entity: EntityDescription,
  rows: Rows,
  { isTrial = false, ...options }: CreateOptions,
): Promise<Refusal[]> {
  const path = `${entity.operations.create?.path}/bulk`
  const sendMany = async (batch: Rows, key: string) => {
    const body = { do: 'create', rows: batch.map(({ values }) => values), ...(isTrial && { dryRun: true }) }
    const headers = { 'idempotency-key': key }
    const report = (await request<Report>('POST', path, { body, headers })).body
    return report.rows.map(({ error }) => error && errorIn(error, error))
  }
  const sendOne = async (batch: Rows) => {
    for (const { values } of batch) await createRow(entity, values)
    return []
  }
  const send = entity.hasBulk === true ? sendMany : sendOne
  const { refused, left } = await sendRows(rows, {
    atOnce: entity.hasBulk === true ? rowsAtOnce : 1,
    send: async (batch, key) => {
      try {
        return await send(batch, key)
      } catch (caught) {
        if (isTrial || !(caught instanceof ApiError)) throw caught
        return batch.map(() => caught) // the refusal of the whole request, for each row
      }
    },
    ...options,
  })
  return [
    ...refused.map(({ row: { line, cells }, fault }) => ({ line, cells, reason: messageOf(fault) })),
    ...left.map(({ line, cells }) => ({ line, cells, reason: text.importer.notSent })),
  ]
}
