/*
 * The table of the twelve consistency conditions. What each says stands here in one line for
 * people; how it is asked stands in the dialect's conditions.sql under the statement's name.
 * Constant data: any thread.
 */
#include "tpcc/conditions.h"

#include "base/check.h"

/* Costs: ms a warehouse right after a load, rounded; only their ratios matter. */
static const struct condition table[] = {
    {1, "condition_1", "W_YTD = sum(D_YTD)", true, 3, false, 1},
    {2, "condition_2", "D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID)", true, 2, false, 1},
    {3, "condition_3", "max(NO_O_ID) - min(NO_O_ID) + 1 = rows of NEW-ORDER", true, 2, false, 3},
    {4, "condition_4", "sum(O_OL_CNT) = rows of ORDER-LINE, per district", false, 3, false, 100},
    {5, "condition_5", "O_CARRIER_ID null where NEW-ORDER has a row, only there", false, 2, false,
     20},
    {6, "condition_6", "O_OL_CNT = rows of ORDER-LINE, per order", false, 2, false, 150},
    {7, "condition_7", "OL_DELIVERY_D null where O_CARRIER_ID is, only there", false, 2, false,
     220},
    {8, "condition_8", "W_YTD = sum(H_AMOUNT)", false, 2, true, 15},
    {9, "condition_9", "D_YTD = sum(H_AMOUNT)", false, 2, true, 15},
    {10, "condition_10", "C_BALANCE = sum(delivered OL_AMOUNT) - sum(H_AMOUNT)", false, 3, true,
     480},
    {11, "condition_11", "orders - new orders = 2100 + sum(C_DELIVERY_CNT)", false, 2, false, 40},
    {12, "condition_12", "C_BALANCE + C_YTD_PAYMENT = sum(delivered OL_AMOUNT)", false, 2, false,
     400},
};
_Static_assert(ARRAY_LEN(table) == CONDITIONS, "one row a condition");

const struct condition *conditions(void)
{
    return table;
}
