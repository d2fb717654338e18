/** Reads QR codes in pictures and on pages. */
import type { Locator } from 'playwright-core'
import decode, { type Image } from 'qr/decode.js'

/** @param image pixels of four bytes @throws Error without a code that can be read */
export function readQrCode(image: Image): string {
  return decode(image, { format: 'RGBA', timeLimit: 60_000 })
}

/** What the camera of a phone reads from the element. */
export async function scan(element: Locator): Promise<string> {
  const screenshot = `data:image/png;base64,${(await element.screenshot()).toString('base64')}`
  const browser = element.page().context().browser()
  if (browser === null) throw new Error('The page has no browser.')
  const page = await browser.newPage()
  try {
    // The types of this project have no browser.
    const [width = 0, height = 0, ...data]: number[] = await page.evaluate(`(async () => {
      const image = new Image()
      image.src = ${JSON.stringify(screenshot)}
      await image.decode()
      const { width, height } = image
      const canvas = new OffscreenCanvas(width, height).getContext('2d')
      canvas.drawImage(image, 0, 0)
      return [width, height, ...canvas.getImageData(0, 0, width, height).data]
    })()`)
    return readQrCode({ width, height, data: Uint8Array.from(data) })
  } finally {
    await page.close()
  }
}
