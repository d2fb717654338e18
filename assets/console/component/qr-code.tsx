/** A QR code; a text that is too long for one is not shown as one. */
import { qrPicture } from '../../../src/core/qr-code.ts'

export function QrCode({ value, label }: { value: string; label: string }) {
  const picture = qrPicture(value)
  if (picture === null) return null
  return (
    <svg class="qr-code" viewBox={picture.viewBox} role="img" aria-label={label}>
      <path d={picture.path} />
    </svg>
  )
}
