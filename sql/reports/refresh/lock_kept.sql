-- One at a time moves the kept tables on; whoever waited sees where the other one left them.
lock table report.kept in share row exclusive mode
