/** Draws a QR code (ISO/IEC 18004), such as that of an authenticator app. */
import { correction, generate, mode } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'

export interface QrPicture {
  /** The `viewBox` of an SVG, with the light margin that scanners need. */
  viewBox: string
  /** The `d` of a path that fills the dark modules. */
  path: string
}

const margin = 4
/** The encodings that are used: not every reader knows the others, Shift JIS and ISO 8859-1. */
const modes = [mode.numeric, mode.alphaNumeric, mode.ascii, mode.utf8]
/** The bytes that fit into the largest code at the error correction level M, in whatever encoding. */
const maxBytes = 2300

/** @returns `null` for a text that is too long for a code */
export function qrPicture(text: string): QrPicture | null {
  if (new TextEncoder().encode(text).length > maxBytes) return null
  const code = generate(text, { modes, minCorrectionLevel: correction.M })
  const side = code.size + 2 * margin
  return { viewBox: `${-margin} ${-margin} ${side} ${side}`, path: toSvgPath(code) }
}
