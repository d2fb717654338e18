/** Shows a QR code that the service has drawn. Nothing is shown for a text that is too long for a code. */
export interface QrPicture {
  viewBox: string
  /** The outline of its dark modules. */
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
