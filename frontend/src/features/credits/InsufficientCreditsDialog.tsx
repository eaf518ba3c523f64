import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatCredits } from '../../ui/format.ts'
import classes from './CostDialog.module.css'
import { missingCredits } from './estimate.ts'
import type { Shortfall } from './insufficient-credits.ts'

type InsufficientCreditsDialogProps = {
  /** Null keeps the dialog closed. */
  shortfall: Shortfall | null
  /** Taken back from a purchase after it was spent; 0: nothing. */
  owedCredits: number
  /** What did not start. */
  operation: 'transcription' | 'summary'
  onClose: () => void
}

export function InsufficientCreditsDialog(props: InsufficientCreditsDialogProps) {
  const { shortfall, owedCredits, operation, onClose } = props
  const { required, available } = shortfall ?? { required: 0, available: 0 }
  return (
    <Dialog isOpen={shortfall !== null} onClose={onClose} title="Insufficient credits">
      <p className={classes.episode}>{`Nothing was charged, and the ${operation} did not start.`}</p>
      <dl className={classes.rows}>
        <div className={classes.row}>
          <dt>Required</dt>
          <dd>{formatCredits(required)} credits</dd>
        </div>
        <div className={classes.row}>
          <dt>Your balance</dt>
          <dd>{formatCredits(available)} credits</dd>
        </div>
        {owedCredits > 0 && (
          <div className={classes.row}>
            <dt>You owe</dt>
            <dd>{formatCredits(owedCredits)} credits</dd>
          </div>
        )}
        <div className={classes.row}>
          <dt>Amount needed</dt>
          <dd>
            <strong>{formatCredits(missingCredits(required, available, owedCredits))} credits</strong>
          </dd>
        </div>
      </dl>
      <Button component={Link} to="/payment" fullWidth>
        Buy More Credits
      </Button>
      <div className={classes.actions} style={{ marginTop: 12 }}>
        <Button variant="default" onClick={onClose} fullWidth>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
