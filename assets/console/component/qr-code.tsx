/** A QR code that the service has drawn. */
export interface QrPicture {
  viewBox: string
  /** The outline of the dark squares. */
  path: string
}

export function QrCode({ picture, label }: { picture: QrPicture | null; label: string }) {
  if (picture === null) return null
  return (
    <svg class="qr-code" viewBox={picture.viewBox} role="img" aria-label={label}>
      <path d={picture.path} />
    </svg>
  )
}
