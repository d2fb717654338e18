/** Ends a file in which no test ends any more. */

const limitMs = Number(process.env['TEST_TIMEOUT_MS'])
let controller = new AbortController()
let timer: NodeJS.Timeout | undefined

/** @returns aborted when the time is over */
export function beginLimit(): AbortSignal {
  controller = new AbortController()
  restartLimit()
  return controller.signal
}

/** To be called when a test has ended: a file of many tests may take long on a busy machine. */
export function restartLimit(): void {
  clearTimeout(timer)
  timer = setTimeout(() => controller.abort(new Error(text)), limitMs).unref()
}

export function endLimit(): void {
  clearTimeout(timer)
}

const text = `timed out: no test has ended for ${limitMs / 1000} s`
