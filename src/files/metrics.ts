import type { Files } from '../core/file-store.ts'
import type { Metric } from '../core/metric.ts'

/** The metrics of this instance. */
export function fileMetrics({ counts, transfers }: Files): Metric[] {
  const counter = (name: string, help: string, read: () => number): Metric => ({
    name,
    help,
    kind: 'counter',
    read: () => [{ value: read() }],
  })
  return [
    counter('files_uploaded_total', 'Files that were stored.', () => counts.uploaded),
    counter('files_uploaded_bytes_total', 'Bytes of files that were stored.', () => counts.uploadedBytes),
    counter('files_downloaded_bytes_total', 'Bytes of files that were sent.', () => counts.downloadedBytes),
    counter('files_removed_total', 'Contents that were removed from the store.', () => counts.removed),
    counter(
      'files_refused_total',
      'Uploads and downloads that were refused by a limit.',
      () => counts.refused,
    ),
    {
      name: 'files_in_transfer',
      help: 'Uploads and downloads in progress.',
      kind: 'gauge',
      read: () => [{ value: transfers.total }],
    },
  ]
}
