import { useIsLost } from '../connection.ts'
import { text } from '../text/text.ts'

/** Says that the service cannot be reached. The banner covers the top of the page, so that the page does not move. */
export function OfflineBanner() {
  const isLost = useIsLost()
  return (
    <div class="offline" role="status">
      {isLost && <p class="notice warn">{text.state.lost}</p>}
    </div>
  )
}
