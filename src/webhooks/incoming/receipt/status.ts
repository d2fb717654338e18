/** What can become of a run, and so of its receipt. */
export const runStatuses = ['SUCCEEDED', 'PENDING', 'DEAD', 'UNHANDLED', 'REPLACED'] as const
export type RunStatus = (typeof runStatuses)[number]

export const receiptStatuses = ['SUCCEEDED', 'PENDING', 'DEAD', 'UNHANDLED', 'UNMATCHED', 'LOOPED'] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

/** The worst that is true of any: what needs somebody goes before what went well. */
export function statusOfRuns(statuses: readonly RunStatus[]): ReceiptStatus {
  const order = ['PENDING', 'DEAD', 'UNHANDLED', 'SUCCEEDED'] as const
  return order.find((status) => statuses.includes(status)) ?? 'UNMATCHED'
}
