import { Button } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../ui/Notice.tsx'

/** Says 'Credit purchase coming soon!' (spec section 4). */
export function BuyMoreCredits() {
  const [wasAsked, setWasAsked] = useState(false)
  return (
    <>
      <Button fullWidth onClick={() => setWasAsked(true)}>
        Buy More Credits
      </Button>
      {wasAsked && (
        <div style={{ marginTop: 12 }}>
          <Notice kind="hint">Credit purchase coming soon!</Notice>
        </div>
      )}
    </>
  )
}
