import type { Files } from '../core/file-store.ts'
import { counter, gauge, type Metric } from '../core/metric.ts'

/** The metrics of the files that pass through this instance. */
export function fileMetrics({ counts, transfers }: Files): Metric[] {
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
    gauge('files_in_transfer', 'Uploads and downloads in progress.', () => transfers.total),
  ]
}
