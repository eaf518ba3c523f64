import { useState } from 'react'
import { CreditWidget } from './CreditWidget.tsx'
import { useBalance, useRefreshCredits } from './use-balance.ts'
import { useRecentTransactions } from './use-recent-transactions.ts'

export function CreditWidgetConnected() {
  const [isOpen, setIsOpen] = useState(false)
  const balance = useBalance()
  const recent = useRecentTransactions(isOpen)
  const refresh = useRefreshCredits()

  return (
    <CreditWidget
      credits={balance.credits}
      transactions={recent.data?.transactions}
      hasFailed={balance.isError || recent.isError}
      isRefreshing={balance.isFetching && balance.credits !== null}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onRefresh={() => void refresh()}
    />
  )
}
