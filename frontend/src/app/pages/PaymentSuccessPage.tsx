import { useSearchParams } from 'react-router-dom'
import { PaymentResult } from '../../features/payments/PaymentResult.tsx'
import { usePaymentResult } from '../../features/payments/use-payment-result.ts'
import { Page } from '../../ui/Page.tsx'

export function PaymentSuccessPage() {
  const [search] = useSearchParams()
  const result = usePaymentResult(search.get('session_id') || null)
  return (
    <Page title="Payment" width="text">
      <PaymentResult result={result} />
    </Page>
  )
}
